import { edit, fail, read, run, say, type Tale } from './tale.ts';

const WEBHOOK = `import { ledger } from '../ledger/ledger.ts';
import { verifySignature } from './verify-signature.ts';

export async function handleWebhook(request: WebhookRequest): Promise<WebhookAnswer> {
  verifySignature(request.headers['x-pay-signature'], request.body, SIGNING_KEY_ID);
  const event = parseEvent(request.body);
  if (event.type !== 'payment.captured') return { status: 204 };
  const booking = await ledger.book({ account: event.account, cents: event.cents, reference: event.paymentId });
  await mailReceipt(event.account, booking.id);
  return { status: 200 };
}`;

const LEDGER = `export const ledger = {
  async book({ account, cents, reference }: Entry): Promise<Booking> {
    const { rows } = await pool.query(
      'insert into bookings (account, cents, reference) values ($1, $2, $3) returning id',
      [account, cents, reference],
    );
    return { id: rows[0].id };
  },
  async balance(account: string): Promise<number> {
    const { rows } = await pool.query('select coalesce(sum(cents), 0) as cents from bookings where account = $1', [account]);
    return Number(rows[0].cents);
  },
};`;

/** Payments that are booked twice. */
export const doubleBooking: Tale = {
  cwd: '/home/mira/tally',
  turns: [
    {
      asks: 'Customer 88213 was charged once but has two bookings for payment pay_7Qx41. Find out why. Do not change anything in production data, I will correct the booking by hand.',
      steps: [
        say('I will look at how the webhook books a payment, then at the log of that day.'),
        read('src/webhooks/handle-webhook.ts', WEBHOOK),
        read('src/ledger/ledger.ts', LEDGER),
        run(
          'grep -n pay_7Qx41 logs/2026-10-02.log',
          `1182:09:14:03.120 webhook payment.captured pay_7Qx41 attempt=1 status=504 took=10012ms
1203:09:14:33.544 webhook payment.captured pay_7Qx41 attempt=2 status=200 took=412ms
1204:09:14:33.951 mailReceipt 88213 booking=55120`,
        ),
        run(
          'grep -c "attempt=2" logs/2026-10-0*.log',
          `logs/2026-10-01.log:3
logs/2026-10-02.log:17
logs/2026-10-03.log:2`,
        ),
        say(
          'The cause: attempt 1 booked the payment and then timed out in mailReceipt after 10 s, so the provider sent the event again, and ledger.book() has no idea that reference pay_7Qx41 is already there. 22 events were retried in three days; each of them may be booked twice.',
        ),
      ],
    },
    {
      asks: 'Fix it. A payment must be booked exactly once, whatever the provider repeats. The migration has to run without locking the table, it has 40 million rows. And never mail a receipt inside the request again.',
      steps: [
        run(
          'ls migrations && psql tally_dev -c "\\d bookings"',
          `0031_accounts.sql
0032_bookings.sql
0033_receipts.sql
 id        | bigint  | not null | generated always as identity
 account   | text    | not null |
 cents     | integer | not null |
 reference | text    |          |
Indexes: "bookings_pkey" PRIMARY KEY, btree (id)`,
        ),
        edit(
          'migrations/0034_booking_reference.sql',
          '',
          `create unique index concurrently bookings_reference_once on bookings (reference) where created_at >= '2026-10-05';`,
        ),
        edit(
          'src/ledger/ledger.ts',
          "'insert into bookings (account, cents, reference) values ($1, $2, $3) returning id',",
          "'insert into bookings (account, cents, reference) values ($1, $2, $3) on conflict (reference) do nothing returning id',",
        ),
        fail(
          'npm test -- ledger',
          `FAIL test/ledger.test.ts > book > answers with the booking that is there
TypeError: Cannot read properties of undefined (reading 'id')
    at Object.book (src/ledger/ledger.ts:9:24)
Tests  1 failed | 14 passed (15)`,
        ),
        say('On conflict nothing is returned, so rows[0] is undefined. The booking that stands is read instead.'),
        edit('src/ledger/ledger.ts', 'return { id: rows[0].id };', 'return rows[0] ?? findByReference(reference);'),
        edit(
          'src/webhooks/handle-webhook.ts',
          'await mailReceipt(event.account, booking.id);',
          "await receiptQueue.add('receipt', { account: event.account, booking: booking.id }, { jobId: `receipt-${booking.id}` });",
        ),
        run('npm test', 'Test Files  41 passed (41)\nTests  312 passed (312)'),
        say(
          'Bookings are unique by reference from 2026-10-05 on (a partial index, built concurrently, because older rows have duplicates), and receipts go through receiptQueue with the jobId receipt-<booking>. Open: the 22 older duplicates are only listed, nothing was deleted.',
        ),
      ],
    },
    { asks: 'Good. Write me the query that lists those 22, I run it myself tomorrow.', steps: [] },
  ],
};

import { fileStore } from '@palimpsest/store';
import type { ConversationStore } from '../../src/conversations/keep-options.ts';
import { createKeeper } from '../../src/keeper.ts';

// Many users of one process who all begin with the same words, are answered the same, and then go their own ways.
const [dir = '', name = '', count = '0'] = process.argv.slice(2);

const store = fileStore({ dir, fsync: 'never' });
const seen = { opens: 0, reads: 0, waits: 0 };
const watched: ConversationStore = {
  open(id, options) {
    seen.opens++;
    if (options.waitMs > 0) seen.waits++;
    return store.open(id, options);
  },
  read(id) {
    seen.reads++;
    return store.read(id);
  },
  list: (options) => store.list(options),
};

const said = (role: string, content: string) => ({ role, content });
const keeper = createKeeper({ window: 8_000, store: watched });
const keep = async (messages: readonly object[]) =>
  (await keeper.keep({ wire: 'openai-chat', body: { model: 'gpt-5.5', messages } }))!;

const users = Array.from({ length: Number(count) }, (_, n) => `${name}${n}`);
const hi = [said('user', 'hi')];
const sessions = new Set<string>();
await Promise.all(users.map(() => keep(hi)));
console.log(`opened ${seen.opens}`);
const asked = (user: string) => [...hi, said('assistant', 'Hello!'), said('user', `I am ${user}. What now?`)];
await Promise.all(users.map((user) => keep(asked(user))));
for (const user of users) {
  const kept = await keep([...asked(user), said('assistant', 'Work.'), said('user', `Which, for ${user}?`)]);
  sessions.add(kept.id);
  const told = JSON.stringify([kept.session.transcript(), kept.body]);
  const others = users.filter((other) => other !== user && told.includes(`I am ${other}.`));
  if (others.length > 0) console.log(`mixed ${user} ${others.join(' ')}`);
}
await keeper.close();
console.log(`done ${JSON.stringify({ ...seen, sessions: sessions.size })}`);

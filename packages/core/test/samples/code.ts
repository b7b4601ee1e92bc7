/** Short programs and documents, written for these tests. */
export const code: Readonly<Record<string, string>> = {
  typescript: `export async function drainQueue<T>(queue: AsyncIterable<T>, handle: (item: T) => Promise<void>): Promise<number> {
  let handled = 0;
  for await (const item of queue) {
    try {
      await handle(item);
      handled += 1;
    } catch (error) {
      logger.warn({ error, item }, 'could not handle item');
    }
  }
  return handled;
}
`,
  python: `class RingBuffer:
    """Keeps the newest items and forgets the rest."""

    def __init__(self, capacity: int) -> None:
        if capacity <= 0:
            raise ValueError(f"capacity must be positive, got {capacity!r}")
        self._items: list[object | None] = [None] * capacity
        self._next = 0

    def push(self, item: object) -> None:
        self._items[self._next % len(self._items)] = item
        self._next += 1
`,
  go: `func (s *Server) handleUpload(w http.ResponseWriter, r *http.Request) {
\tctx, cancel := context.WithTimeout(r.Context(), 30*time.Second)
\tdefer cancel()
\tif err := s.store.Put(ctx, r.PathValue("id"), r.Body); err != nil {
\t\thttp.Error(w, err.Error(), http.StatusInternalServerError)
\t\treturn
\t}
\tw.WriteHeader(http.StatusNoContent)
}
`,
  rust: `impl<'a, T: Clone + Ord> Iterator for Merge<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<Self::Item> {
        match (self.left.peek(), self.right.peek()) {
            (Some(l), Some(r)) if l <= r => self.left.next(),
            (_, Some(_)) => self.right.next(),
            _ => self.left.next(),
        }
    }
}
`,
  java: `public final class InvoiceRepository implements Repository<Invoice, UUID> {
    private final Map<UUID, Invoice> invoices = new ConcurrentHashMap<>();

    @Override
    public Optional<Invoice> findById(UUID id) {
        return Optional.ofNullable(invoices.get(Objects.requireNonNull(id, "id")));
    }
}
`,
  c: `static int parse_header(const uint8_t *buf, size_t len, struct header *out)
{
\tif (len < sizeof(*out) || memcmp(buf, MAGIC, 4) != 0)
\t\treturn -EINVAL;
\tout->version = buf[4];
\tout->flags = (uint16_t)(buf[6] << 8 | buf[7]);
\tfor (size_t i = 0; i < ARRAY_SIZE(out->crc); i++)
\t\tout->crc[i] = buf[8 + i] ^ 0xff;
\treturn 0;
}
`,
  cpp: `template <typename Key, typename Value>
auto LruCache<Key, Value>::find(const Key& key) -> std::optional<Value> {
  const auto it = index_.find(key);
  if (it == index_.end()) return std::nullopt;
  order_.splice(order_.begin(), order_, it->second);
  return it->second->second;
}
`,
  csharp: `public async Task<IReadOnlyList<OrderDto>> GetOpenOrdersAsync(Guid customerId, CancellationToken token = default)
{
    var orders = await _context.Orders.Where(o => o.CustomerId == customerId && !o.IsClosed).ToListAsync(token);
    return orders.Select(o => new OrderDto(o.Id, o.Total, o.CreatedAt.ToString("O"))).ToList();
}
`,
  ruby: `module Billing
  class Reminder < ApplicationJob
    queue_as :low_priority

    def perform(account_id, attempts: 3)
      account = Account.find_by(id: account_id) or return
      ReminderMailer.with(account:).overdue.deliver_later unless account.invoices.overdue.empty?
    end
  end
end
`,
  php: `<?php
namespace App\\Http\\Controllers;

final class SearchController extends Controller
{
    public function __invoke(SearchRequest $request): JsonResponse
    {
        $results = $this->index->query($request->validated('q'), limit: 25);
        return response()->json(['data' => array_map(fn ($hit) => $hit->toArray(), $results)]);
    }
}
`,
  haskell: `mergeSort :: Ord a => [a] -> [a]
mergeSort []  = []
mergeSort [x] = [x]
mergeSort xs  = merge (mergeSort left) (mergeSort right)
  where (left, right) = splitAt (length xs \`div\` 2) xs
`,
  shell: `#!/usr/bin/env bash
set -euo pipefail
for file in "$(dirname "$0")"/fixtures/*.json; do
  name=$(basename "$file" .json)
  if ! diff -u <(jq -S . "$file") <(jq -S . "out/$name.json") >"/tmp/$name.diff" 2>&1; then
    echo "FAIL: $name (see /tmp/$name.diff)" >&2; exit 1
  fi
done
`,
  sql: `SELECT c.region, COUNT(DISTINCT o.id) AS orders, SUM(o.total_cents) / 100.0 AS revenue
FROM customers AS c LEFT JOIN orders AS o ON o.customer_id = c.id AND o.created_at >= DATE '2031-04-01'
WHERE c.deleted_at IS NULL AND c.plan IN ('basic', 'team') GROUP BY c.region HAVING SUM(o.total_cents) > 50000
ORDER BY revenue DESC NULLS LAST LIMIT 20;
`,
  yaml: `services:
  worker:
    image: registry.internal/worker:3.14.2
    environment:
      QUEUE_URL: "amqp://guest@rabbit:5672/%2F"
      LOG_LEVEL: \${LOG_LEVEL:-info}
    depends_on: [rabbit, postgres]
    deploy:
      resources: { limits: { cpus: "0.50", memory: 256M } }
`,
  html: `<section class="card card--wide" id="pricing" aria-labelledby="pricing-title">
  <h2 id="pricing-title">Plans &amp; prices</h2>
  <ul><li data-plan="basic"><a href="/signup?plan=basic">Start for free</a></li></ul>
  <img src="/static/img/plans@2x.png" alt="Comparison of plans" width="640" height="320" loading="lazy">
</section>
`,
  xml: `<dependency>
    <groupId>org.example.tools</groupId>
    <artifactId>report-generator</artifactId>
    <version>2.7.1-SNAPSHOT</version>
    <exclusions><exclusion><groupId>commons-logging</groupId></exclusion></exclusions>
</dependency>
`,
  latex: `\\begin{theorem}\\label{thm:bound}
Let $f \\colon \\mathbb{R}^n \\to \\mathbb{R}$ be convex. Then for all $x, y \\in \\operatorname{dom} f$,
\\[ f(y) \\ge f(x) + \\nabla f(x)^{\\top} (y - x) + \\frac{\\mu}{2} \\lVert y - x \\rVert_2^2. \\]
\\end{theorem}
`,
  css: `.toolbar>.button:hover,.toolbar>.button:focus-visible{background:#f4f6fb;border-color:rgba(12,34,56,.24);transform:translateY(-1px)}@media (max-width:640px){.toolbar{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:8px 12px;padding:0 16px}}`,
  minifiedJs: `!function(e,t){"use strict";var n=e.document,r=function(e){return null!=e&&"object"==typeof e?Object.keys(e).reduce((function(t,n){return t[n]=r(e[n]),t}),{}):e};t.exports={clone:r,on:function(e,t,o){return n.addEventListener(e,t,o||!1),function(){n.removeEventListener(e,t,o||!1)}}}}(window,module);`,
  assembly: `main:
        pushq   %rbp
        movq    %rsp, %rbp
        subq    $48, %rsp
        movl    $0, -4(%rbp)
.L3:
        movslq  -4(%rbp), %rax
        leaq    table(,%rax,8), %rdx
        cmpq    $0x3ff, (%rdx)
        jle     .L7
        callq   __stack_chk_fail@PLT
`,
  stackTrace: `TypeError: Cannot read properties of undefined (reading 'chunks')
    at assemble (/srv/app/node_modules/bundler/dist/assemble.js:214:37)
    at async Promise.all (index 3)
    at async buildGraph (file:///srv/app/packages/graph/src/build-graph.ts:88:5)
Traceback (most recent call last):
  File "/usr/lib/python3.12/site-packages/jobs/runner.py", line 341, in _run_once
    result = handler(**payload)
java.lang.IllegalStateException: connection closed
	at com.example.net.Channel.write(Channel.java:512)
`,
  gitDiff: `diff --git a/src/ledger.ts b/src/ledger.ts
index 3f9c2ab..81d07e4 100644
--- a/src/ledger.ts
+++ b/src/ledger.ts
@@ -41,9 +41,12 @@ export function fold(entries: readonly Entry[]): State {
   let state = empty;
-  for (const entry of entries) state = apply(state, entry);
+  for (const entry of entries) {
+    if (entry.reverted) continue;
+    state = apply(state, entry);
+  }
   return state;
 }
`,
  markdown: `## Installing

1. Download the **latest** release and unpack it: \`tar xzf tool-1.8.0.tgz\`.
2. Add \`bin/\` to your *PATH* (see [the guide](docs/path.md#windows)).

> Note: versions before 1.6 kept their settings in \`~/.toolrc\`.

- [x] macOS  - [ ] Windows on ARM
`,
};

import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'rolldown';
import { expect, it } from 'vitest';

it('core runs in a bare context, without timers, performance, process or anything else of a runtime', async () => {
  const { output } = await build({
    input: fileURLToPath(new URL('../src/index.ts', import.meta.url)),
    output: { format: 'iife', name: 'core' },
    write: false,
    logLevel: 'silent',
  });
  const context = createContext({ told: undefined });
  runInContext(output[0].code, context);
  const script = `
    const session = core.createSession({ window: 8000 });
    for (let n = 0; n < 60; n++) {
      session.append(core.assistant([core.call('c' + n, 'read', { path: 'src/f' + n + '.ts' })]));
      session.append(core.results([core.result('c' + n, 'line of file ' + n + ' '.repeat(200).replaceAll(' ', ' word'))]));
    }
    session.view().then((view) => { told = view; });
  `;
  runInContext(script, context);
  // Only promises: no turn of an event loop is needed.
  for (let n = 0; n < 1_000 && context.told === undefined; n++) await Promise.resolve();
  expect(context.told).toMatchObject({ fits: true, receipt: { tokensAfter: expect.any(Number) } });
});

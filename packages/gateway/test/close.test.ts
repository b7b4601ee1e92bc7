import { Agent, get } from 'node:http';
import { startGateway } from '@palimpsest/gateway';
import { expect, it, onTestFinished } from 'vitest';
import { answerJson, startUpstream } from './raw-upstream.ts';

it('closes kept-alive connections when their answers are over', async () => {
  let answerNow = (): void => {};
  const upstream = await startUpstream((_, response) => {
    answerNow = () => answerJson(response, { data: [] });
  });
  onTestFinished(upstream.close);
  const gateway = await startGateway({ upstreams: { '*': upstream.url } });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const status = new Promise((resolve, reject) => {
    get(`${gateway.url}/v1/files`, { agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    }).once('error', reject);
  });
  await expect.poll(() => upstream.arrived.length).toBe(1);
  const graceMs = 60_000;
  const begun = performance.now();
  const closing = gateway.close({ graceMs });
  answerNow();
  expect(await status).toBe(200);
  await closing;
  expect(performance.now() - begun).toBeLessThan(graceMs / 2);
});

import { createSession, presets, user, assistant, call, results, result, type SessionEvent } from '@palimpsest/core';
import { good } from './packages/core/test/summarizers.ts';
const long=(w:string,n:number)=>Array(n).fill(w).join(' ');
for (const [kind,toolShare] of [['mixed',0.5],['tools',1]] as const) {
  const summarizer = good();
  let log=false;
  const session = createSession({ window: 40_000, maxOutput: 1000, layers: presets.default(), ports: { summarizer }, on: (e: SessionEvent)=>{ if (e.type==='summary-paid') console.log(kind,'PAID',e.how, session.status().tokens, 'trigger', session.status().budget.trigger,'target',session.status().budget.target); if (e.type==='view-made' && e.visits.some(v=>v.edits>0)) console.log(kind,e.tokens, e.visits.filter(v=>v.edits||v.needs).map(v=>`${v.layer} ${v.tokensBefore}→${v.tokensAfter}`).join('; ')); } });
  let n=0;
  for (let t=0;t<60;t++) {
    session.append(user(`please do thing ${t} ${long('now',30)}`));
    for (let r=0;r<4;r++) {
      n++;
      if ((n%4)/4 < toolShare) {
        session.append(assistant([call(`c${n}`,'bash',{command:`make part_${n}`})]));
        session.append(results([result(`c${n}`, `out ${n} ${long('line',400)}`)]));
      } else session.append(assistant(`thought ${n} ${long('word',300)}`)), session.append(user(`ok ${n}`));
      await session.view(); await session.settled();
    }
    session.append(assistant('done'));
  }
}

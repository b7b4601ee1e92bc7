import { assistant, call, createSession, result, results, text, user } from '@palimpsest/core';
const session = createSession({ window: 16_000, system: 'x'.repeat(1000), tools: 'y'.repeat(6000) as any, on: (e) => { if (e.type==='view-compacted') console.log(e.receipt.tokensBefore, '→', e.receipt.tokensAfter, e.receipt.declared, e.receipt.lines.map(l=>`${l.layer}:${l.kind}:${l.count}`).join(' ')); } });
session.append(user('remember: never touch db/migrations'));
session.append(assistant('I will.'));
session.append(user('read every file in src'));
for (let n=0;n<200;n+=6){
  const names=[...Array(6)].map((_,i)=>`src/module-${String(n+i).padStart(3,'0')}.ts`);
  session.append(assistant([text(`Files ${n+1} to ${n+6} of 200.`), ...names.map((p,i)=>call(`c${n+i}`,'read_file',{path:p}))]));
  for (const [i,p] of names.entries()) session.append(results([result(`c${n+i}`, `${p} (lines 1 to 40 of 40)\n`+`export function part${n+i}(value: number): number {\n  return value * ${n+i};\n}\n`.repeat((n+i)%37===5?120:8))]));
  const v = await session.view();
}
session.append(assistant('I have read all.'));
session.append(user('what did I ask first?'));
const v=await session.view();
for (const m of v.messages) console.log('---',m.id,m.role,m.origin,'\n', m.parts.map(p=>p.type==='text'?p.text:p.type==='result'?('RESULT '+JSON.stringify(p.content).slice(0,300)):JSON.stringify(p).slice(0,150)).join('\n'));

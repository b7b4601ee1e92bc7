import type { ScreenModel } from './screen-model.ts';

/** Everything the screen has shown, without what differs from run to run, from folder to folder and from preset to preset. */
export function transcriptOf(screen: ScreenModel, names: Readonly<Record<string, string>> = {}): string {
  const named = Object.entries(names).reduce((text, [value, name]) => text.replaceAll(value, name), screen.all());
  return named
    .split('\n')
    .filter((line) => !/^ {2}[a-z]+(?:-[a-z]+)+ +(?:hid|added|brought) /.test(line))
    .join('\n')
    .replace(/\d{8}-\d{6}-\w{6}-\w{4}/g, 'SESSION')
    .replace(/[\d,]+ → [\d,]+ tokens/g, 'N → N tokens')
    .replace(/\d+ calls?, [\d,]+ tokens in, [\d,]+ out/g, 'N calls, N tokens in, N out')
    .replace(/^( {2}why now: .*)$/gm, (line) => line.replace(/\d[\d,]*/g, 'N'))
    .replace(/\b(recall|Recalled|—) m\d+\b/g, '$1 mN')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d · (\d+ messages?), [\d.]+ k?B/g, 'DATE · $1, SIZE')
    .replace(/\d+% context left/g, 'N% context left')
    .replace(/(?:about )?[\d,]+ tokens, compacts at [\d,]+/g, 'N tokens, compacts at N')
    .replace(/^(.+\n)\1{5,}/gm, '$1(and so on)\n')
    .replace(/\n+$/, '\n');
}

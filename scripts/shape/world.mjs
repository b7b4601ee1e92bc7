import { stripWords } from './words.mjs';

/** What core may not touch. */
const WORLD = [
  [/\bDate\.now\(|new Date\(\s*\)|performance\.now\(/, 'the clock'],
  [/Math\.random\(|crypto\.|randomUUID/, 'randomness'],
  [/\bfetch\(|\bXMLHttpRequest\b|\bWebSocket\(/, 'the network'],
  [/\bsetTimeout\(|\bsetInterval\(|\bsetImmediate\(/, 'timers'],
  [/\bprocess\.|\bglobalThis\.process|\brequire\(/, 'the process'],
];

/** Core is a pure function of what it is given: no clock, files, network, randomness, timers, process. */
export const checkWorld = (sources) =>
  sources
    .filter(({ name, place }) => name === 'core' && place === 'src')
    .flatMap(({ file, text }) => {
      const code = stripWords(file, text);
      return WORLD.filter(([pattern]) => pattern.test(code)).map(([, what]) => `${file}: core touches ${what}`);
    });

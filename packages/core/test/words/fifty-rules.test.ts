import { fastOrDeep } from '@palimpsest/testing';
import { describe, expect, it } from 'vitest';
import { assistant, call, createSession, result, results, type Session, user } from '../../src/index.ts';
import { good } from '../summarizers.ts';
import { askingLayers } from '../support/asking-layers.ts';
import { long, textOf } from '../texts.ts';

/** Said once each, early, in the shapes in which people say such things. */
const RULES = [
  // English: orders, asides, polite and indirect forms, conditions, lists, code
  'Ship nothing on Fridays.',
  'btw the staging box is shared, so go easy on it',
  'If you touch the parser, rerun the fuzz corpus.',
  'Kindly leave the changelog to me.',
  'I would appreciate it if commits stayed below 200 lines.',
  'Anything under vendor/ is none of our business.',
  'Whoever edits the schema tells Mara first.',
  'Treat every warning as an error.',
  'max_line_length = 96  # for python too',
  '- tabs in Makefiles\n- spaces everywhere else\n- LF line ends',
  'Ask before you drop a table.',
  'When in doubt, do less.',
  'The word "customer" is banned from user-facing text; it is "guest".',
  // German, Dutch, the North
  'Finger weg von der Datenbank.',
  'Schreib Kommentare bitte auf Englisch.',
  'Blijf van de productieserver af.',
  'Skriv testerna innan koden.',
  'Rør aldri ved lønnsfilen.',
  'Kirjoita lokit englanniksi.',
  // Romance
  'Laisse le fichier de verrouillage tel quel.',
  'Les messages de commit sont en anglais.',
  'Que nadie toque la rama release.',
  'Los precios se guardan en centavos.',
  'Deixa o arquivo de licença em paz.',
  'I numeri di versione li decido io.',
  'Te rog să păstrezi ordinea coloanelor.',
  // Slavic, Hungarian, Greek, Turkish
  'Все суммы храни в копейках.',
  'Спочатку покажи мені план.',
  'Gałąź main jest święta.',
  'Názvy tabulek piš v jednotném čísle.',
  'A jelszavak maradjanak a széfben.',
  'Ρώτα με πριν σβήσεις κάτι.',
  'Önce testleri çalıştır, sonra kaydet.',
  // Arabic, Hebrew, Persian, Hindi, Bengali, Tamil
  'اسألني قبل أن تحذف أي ملف.',
  'اترك مجلد الإعدادات كما هو.',
  'תשאיר את קובץ ההגדרות כמו שהוא.',
  'پیش از تغییر جدول از من بپرس.',
  'पहले मुझसे पूछो, फिर हटाओ।',
  'আগে আমাকে দেখাও, তারপর মুছো।',
  'முதலில் சோதனைகளை இயக்கு.',
  // CJK, Thai, Vietnamese, Indonesian, Swahili
  '提交之前先跑一遍测试。',
  '日志一律用英文写。',
  'コミットの前に一度見せてね。',
  '金額は整数で持つ。',
  '배포는 내가 직접 할게.',
  'ลบไฟล์ก่อนต้องถามฉัน',
  'Hỏi tôi trước khi xoá bảng.',
  'Tanya saya dulu sebelum menghapus.',
  'Niulize kwanza kabla ya kufuta faili.',
  'Faili za siri zibaki zilipo.',
];

const COMPACTIONS = 20;

function work(session: Session, turn: number, size: number): void {
  session.append(user(`Now module ${turn}, please: read it, run its tests and tell me what it does.`));
  for (let i = 0; i < 3; i++) {
    const id = `c${turn}-${i}`;
    session.append(assistant([call(id, 'read_file', { path: `src/module_${turn}/part_${i}.ts` })]));
    session.append(results([result(id, long(`export const limit_${turn}_${i} = ${turn * 10 + i};`, size))]));
  }
  session.append(assistant(`Module ${turn} holds limits and is in order.`));
}

const rounds = fastOrDeep(COMPACTIONS, 3 * COMPACTIONS);

describe.each([
  ['without a model', () => ({})],
  ['with a model whose summaries lose most', () => ({ summarizer: good() })],
] as const)('fifty rules in many languages and shapes, %s', (_, ports) => {
  it.each([
    [16_000, 25],
    [60_000, 110],
  ])('all stand in every view word for word, through twenty compactions, in a window of %d', async (window, size) => {
    const session = createSession({ window, layers: askingLayers(), ports: ports(), drafts: false });
    session.append(user('Look at every module of the project, one after the other, and report.'));
    session.append(assistant('I begin.'));
    for (const rule of RULES) {
      session.append(user(rule));
      session.append(assistant('Noted.'));
    }
    for (let turn = 1; session.receipts().length < rounds; turn++) {
      work(session, turn, size);
      const { messages, fits } = await session.view();
      const seen = textOf(messages);
      expect(fits).toBe(true);
      expect(RULES.filter((rule) => !seen.includes(rule))).toEqual([]);
    }
    expect(new Set(RULES).size).toBe(50);
  });
});

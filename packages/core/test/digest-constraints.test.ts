import { describe, expect, it } from 'vitest';
import { findConstraints, weighConstraint } from '../src/digest/read/find-constraints.ts';
import { stripHostText } from '../src/message/host-text.ts';

const denials: Readonly<Record<string, readonly string[]>> = {
  English: [
    'Never push to main.',
    "Don't touch the migrations.",
    'do not rename the public API',
    'The config must not change.',
    'No, I meant the other file.',
    'Leave the lock file alone.',
    'Actually, keep the old name.',
    'Use tabs instead.',
    'no new dependencies',
  ],
  German: [
    'Niemals auf main pushen.',
    'Bitte nicht committen.',
    'Nein, ich meinte die andere Datei.',
    'Keine neuen Pakete.',
  ],
  French: ['Ne touche pas aux migrations.', 'Ne jamais pousser sur main.', 'Non, je voulais dire l’autre fichier.'],
  Spanish: ['Nunca hagas push a main.', 'No toques las migraciones.', 'No, quise decir el otro archivo.'],
  Portuguese: ['Nunca faça push para a main.', 'Não mexa nas migrações.', 'Não, eu quis dizer o outro arquivo.'],
  Italian: ['Mai fare push su main.', 'Non toccare le migrazioni.', 'No, intendevo l’altro file.'],
  Russian: [
    'Никогда не пушь в main.',
    'Не трогай миграции.',
    'Нет, я имел в виду другой файл.',
    'Нельзя менять схему.',
  ],
  Chinese: ['不要推送到 main。', '别改数据库。', '不对，我的意思是另一个文件。', '禁止修改配置'],
  Japanese: [
    'main にプッシュしないでください。',
    'マイグレーションは変更禁止です。',
    'いいえ、もう一つのファイルという意味です。',
  ],
  Korean: ['main에 푸시하지 마세요.', '마이그레이션은 절대 건드리지 마.', '아니요, 다른 파일을 말한 거예요.'],
};

const demands: Readonly<Record<string, readonly string[]>> = {
  English: [
    'All handlers must return JSON.',
    'Only edit files under src.',
    'Always run the linter first.',
    'Keep it under 200 lines.',
  ],
  German: ['Alle Tests müssen grün sein.', 'Nur Dateien unter src bearbeiten.', 'Immer zuerst den Linter starten.'],
  French: ['Toutes les routes doivent rendre du JSON.', 'Uniquement les fichiers sous src.'],
  Spanish: ['Todas las rutas deben devolver JSON.', 'Solo los archivos bajo src.'],
  Portuguese: ['Todas as rotas devem devolver JSON.', 'Apenas os arquivos em src.'],
  Italian: ['Tutte le rotte devono restituire JSON.', 'Soltanto i file sotto src.'],
  Russian: ['Все тесты должны проходить.', 'Только файлы в src.'],
  Chinese: ['必须返回 JSON。', '只能改 src 下的文件'],
  Japanese: ['必ず JSON を返すこと。', 'src のファイルだけを編集。'],
  Korean: ['반드시 JSON을 반환해야 합니다.', '항상 린터를 먼저 실행하세요.'],
};

describe('a prohibition or a correction is recognized', () => {
  for (const [language, sentences] of Object.entries(denials))
    it(`in ${language}`, () => {
      for (const sentence of sentences) expect([sentence, weighConstraint(sentence)]).toEqual([sentence, 'denial']);
    });
});

describe('a demand is recognized', () => {
  for (const [language, sentences] of Object.entries(demands))
    it(`in ${language}`, () => {
      for (const sentence of sentences) expect([sentence, weighConstraint(sentence)]).toEqual([sentence, 'demand']);
    });
});

describe('a rule is one however it is written', () => {
  for (const [strength, rules] of Object.entries({ denial: denials, demand: demands }))
    it(`in capitals and in none: every ${strength} above`, () => {
      for (const sentence of Object.values(rules).flat())
        for (const other of [sentence.toUpperCase(), sentence.toLowerCase()])
          expect([other, weighConstraint(other)]).toEqual([other, strength]);
    });
});

describe('what lays down no rule is none', () => {
  it.each([
    'Why do we have two of these?',
    'Should it be only one?',
    'The build is green now.',
    "I don't know where it is.",
    'So this is basically a parser.',
    'Schau dir bitte den Parser an.',
    '请看一下这个解析器',
    'Looks good, continue',
  ])('%s', (sentence) => {
    expect(weighConstraint(sentence)).toBeUndefined();
  });
});

describe('rules are read from prose, verbatim', () => {
  it('every sentence by itself, without its bullet', () => {
    const words =
      'Please fix the parser. Never change the grammar file! It is slow.\n- do not add packages\n2) always run `make check`';
    expect(findConstraints(words).map((rule) => rule.text)).toEqual([
      'Never change the grammar file!',
      'do not add packages',
      'always run `make check`',
    ]);
  });

  it('pasted code, quotes and logs lay down no rules', () => {
    const words =
      'It fails:\n```\n// never call this twice\n```\n> you must not pass\n2026-01-02 10:00 must not happen\nlevel=error msg=never code=3\nplease look';
    expect(findConstraints(words)).toEqual([]);
  });
});

describe('what a host puts into a message is not the user speaking', () => {
  it.each([
    ['<system-reminder>Never do x.</system-reminder>Fix it.', 'Fix it.'],
    ['Fix it.\n<environment_context>\n<cwd>/x</cwd>\n</environment_context>', 'Fix it.'],
    ['# AGENTS.md instructions for /repo\n\nNever push.', ''],
    ['<command-name>/compact</command-name><command-args>x</command-args>', ''],
    ['<local-command-stdout>never</local-command-stdout>', ''],
    ['<task>Fix it.</task>\n<environment_details>open tabs</environment_details>', 'Fix it.'],
    ['Use <my-button> in the form.', 'Use <my-button> in the form.'],
  ])('%j leaves %j', (text, words) => {
    expect(stripHostText(text)).toBe(words);
  });
});

import ts from 'typescript';
import { functionsOf } from './functions.mjs';

const ENDINGS = /^[a-z]+(ed|en|ing|ly|able|ible)$/;
/** Participles, adjectives, adverbs, prepositions and pronouns that no ending gives away. */
const OTHERS = new Set(
  (
    'able ago ahead alike alone apart away back behind besides beyond born both bound bought brought built caught dealt done ' +
    'drawn else enough felt found fresh gone grown heard held here hung its kept known laid late left like lost made meant ' +
    'met mine much once ours own paid ready said same sent short shown slept sold soon spent stuck such swept taught theirs ' +
    'there thin thought thrown thus told together torn twice whole within worn worth'
  ).split(' '),
);
/** Words of these forms that are verbs, or nouns for what a function gives. */
const ALLOWED = {
  verbs:
    'apply disable embed enable feed flatten happen lengthen listen loosen multiply need open ping proceed reply seed ' +
    'shorten speed supply tighten widen',
  nouns:
    'assembly children family greeting heading listing meaning morning padding reasoning screen setting spelling string ' +
    'summing table thing token variable warning',
};
const allowed = new Set(Object.values(ALLOWED).flatMap((words) => words.split(' ')));

/** Methods of the public Session: hosts call them, so their names stay. */
const SESSION = { file: 'packages/core/src/session/session.ts', methods: new Set(['overflowed', 'saved', 'settled']) };

const isPublic = (file, { node, name }) =>
  file === SESSION.file && ts.isMethodDeclaration(node) && SESSION.methods.has(name);

/** True for `written`, `kept`, `timely`, `ours`: words that say neither what a function does nor what it gives. */
export const isBareParticiple = (name) => !allowed.has(name) && (ENDINGS.test(name) || OTHERS.has(name));

/** A function is called by a verb and its object, or by the noun it gives. Getters are properties; tests name as they like. */
export const checkNames = (sources) =>
  sources
    .filter(({ place }) => place !== 'test')
    .flatMap(({ file, text }) =>
      functionsOf(file, text)
        .filter(({ node, name }) => name !== undefined && !ts.isAccessor(node) && isBareParticiple(name))
        .filter((found) => !isPublic(file, found))
        .map(({ node, name, tree }) => {
          const line = ts.getLineAndCharacterOfPosition(tree, node.getStart(tree)).line + 1;
          return `${file}:${line} ${name}() says neither what it does nor what it gives; say verb and object, as in findCutPoint`;
        }),
    );

/** A path of plain characters, as one would type it: anything else was a slip of the shell. */
export const checkPaths = (files) =>
  files
    .filter((file) => !/^[\w./@-]+$/.test(file))
    .map((file) => `${JSON.stringify(file)}: a path has letters, digits and ./_@- in it, nothing else`);

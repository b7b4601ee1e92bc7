import type { Steps } from '../../steps.ts';

/** What `make` makes, made when it is first asked for. */
export function keepMade<Made>(make: () => Made): () => Made {
  let made: { readonly it: Made } | undefined;
  return () => {
    made ??= { it: make() };
    return made.it;
  };
}

/** The same of what is made in steps. */
export function keepMadeInSteps<Made>(make: () => Steps<Made>): () => Steps<Made> {
  let made: { readonly it: Made } | undefined;
  return function* () {
    made ??= { it: yield* make() };
    return made.it;
  };
}

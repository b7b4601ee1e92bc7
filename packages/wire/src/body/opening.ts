/** Stands first where a view begins with the model's words and the provider wants the user to begin. */
export const OPENING = 'The conversation goes on from here.';

/** Whether a field was sent: to the vendors null is the same as nothing. */
export const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

/** Resolves after other events have been handled. A page can draw a frame in that time. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

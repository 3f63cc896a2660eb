// What goes wrong, in words.

/** One line, with nothing in it that a terminal would obey. */
export const oneLine = (message) => message.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** What the system says, without its code and call: "no such file or directory". */
export const reason = (error) => /^[A-Z0-9_]+: (.*?)(?:, \w+.*)?$/s.exec(error.message)?.[1] ?? error.message;

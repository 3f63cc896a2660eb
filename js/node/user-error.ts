/** An error that the user can correct. The command line prints its message on one line and ends with exit code 2. */
export class UserError extends Error {}

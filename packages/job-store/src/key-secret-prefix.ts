/** The prefix of the names of secrets that were made from an inline key in a job's body. */
export const KEY_SECRET_PREFIX = "eval-key-"

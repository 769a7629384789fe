/** The id of a job in the examples of the help. */
export const JOB = "eval-3QJmnh8Y1kGqvS4cQKFJ2b"

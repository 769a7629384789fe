/** Milliseconds. A runner that is silent for this time counts as lost. */
export const JOB_LEASE_MS = 15_000
/**
 * The same until the first beat of a runner. It comes a second after the claim, unless the runner or its network has just ended. Then
 * nothing of the job is done yet, and a user waits for its first row.
 */
export const FIRST_LEASE_MS = 3000

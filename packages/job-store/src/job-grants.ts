/** The workspaces whose secrets a job may reference, in addition to its own workspace. */
export type JobGrants = "all" | readonly string[]

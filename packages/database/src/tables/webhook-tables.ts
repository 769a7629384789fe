/** Ends of jobs that are still to be reported to the webhook. */
export interface WebhookEventTable {
  id: string
  job_id: string
  /** JSON: what the job was when it ended. A job that is restarted changes its record. */
  data: string
  /** How often a server has tried to send it. */
  tries: number
  /** Milliseconds since 1970, by the clock of the server that ended the job. */
  created_at: number
  /** When the event is to be sent, by the clock of the database. While a server sends it, the time when another one may. */
  due_at: number
}

/** One row, which servers with a webhook renew. Without it, nobody would read the events. */
export interface WebhookSenderTable {
  id: string
  /** Milliseconds since 1970, by the clock of the database. */
  seen_at: number
}

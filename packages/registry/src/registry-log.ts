/** The log for events that no caller waits for. A pino logger fits. */
export interface RegistryLog {
  warn(context: Readonly<Record<string, unknown>>, message: string): void
  /** Called for problems that an operator has to correct. Default: `warn` is called. */
  error?(context: Readonly<Record<string, unknown>>, message: string): void
}

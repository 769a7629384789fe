/** An answer before it is sent. The pieces of a streamed answer are sent one by one. */
export interface InferenceAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | readonly string[]
}

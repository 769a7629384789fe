/** An answer before it is sent. Of a streamed one the pieces leave one by one. */
export interface InferenceAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | readonly string[]
}

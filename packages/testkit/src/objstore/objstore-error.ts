/** An answer that says no, as S3 says it: a status, a code, a message, and sometimes further elements and headers. */
export class ObjstoreError extends Error {
  override readonly name = "ObjstoreError"
  readonly status: number
  readonly code: string
  readonly details: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: string,
    message: string,
    {
      details = {},
      headers = {},
    }: {
      readonly details?: Readonly<Record<string, string>>
      readonly headers?: Readonly<Record<string, string>>
    } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
    this.headers = headers
  }
}

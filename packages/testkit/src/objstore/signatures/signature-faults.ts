import type { ObjstoreSettings } from "../fake-objstore-options.ts"
import { ObjstoreError } from "../objstore-answer.ts"

const MAXIMUM_SKEW_MS = 15 * 60 * 1000

export function checkAccessKey(accessKeyId: string, settings: ObjstoreSettings): void {
  if (accessKeyId === settings.accessKeyId) return
  throw new ObjstoreError(
    403,
    "InvalidAccessKeyId",
    "The AWS Access Key Id you provided does not exist in our records.",
    { details: { AWSAccessKeyId: accessKeyId } },
  )
}

/** Refuses requests that were signed more than 15 minutes ago or ahead. `shown` is the time as the request wrote it. */
export function checkSkew(time: number, shown: string, { now }: ObjstoreSettings): void {
  if (Math.abs(time - now()) <= MAXIMUM_SKEW_MS) return
  throw new ObjstoreError(
    403,
    "RequestTimeTooSkewed",
    "The difference between the request time and the current time is too large.",
    {
      details: {
        RequestTime: shown,
        ServerTime: new Date(now()).toISOString(),
        MaxAllowedSkewMilliseconds: String(MAXIMUM_SKEW_MS),
      },
    },
  )
}

/** Returns an error that repeats the string to sign, as many servers do. It must not be shown to users. */
export function signatureMismatch(
  accessKeyId: string,
  signature: string,
  stringToSign: string,
  details: Readonly<Record<string, string>> = {},
): ObjstoreError {
  return new ObjstoreError(
    403,
    "SignatureDoesNotMatch",
    "The request signature we calculated does not match the signature you provided. Check your key and signing method.",
    {
      details: {
        AWSAccessKeyId: accessKeyId,
        StringToSign: stringToSign,
        SignatureProvided: signature,
        StringToSignBytes: Buffer.from(stringToSign)
          .toString("hex")
          .replaceAll(/..(?!$)/g, "$& "),
        ...details,
      },
    },
  )
}

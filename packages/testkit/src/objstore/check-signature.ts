import type { ObjstoreSettings } from "./fake-objstore-options.ts"
import { ObjstoreError } from "./objstore-error.ts"
import type { S3Request } from "./s3-request.ts"
import { checkSignatureV2 } from "./signature-v2.ts"
import { checkSignatureV4, V4_ALGORITHM } from "./signature-v4.ts"

/** Lets a signed request through, and throws what S3 answers where the signature is wrong or of a version it does not know. */
export function checkSignature(request: S3Request, authorization: string, settings: ObjstoreSettings): void {
  const version = authorization.startsWith(`${V4_ALGORITHM} `) ? "v4" : authorization.startsWith("AWS ") ? "v2" : "none"
  if (version === "none") {
    throw new ObjstoreError(400, "InvalidArgument", "Unsupported Authorization Type", {
      details: { ArgumentName: "Authorization" },
    })
  }
  if (!settings.signatures.includes(version)) {
    const understood = settings.signatures.includes("v4") ? V4_ALGORITHM : "AWS"
    const message = `The authorization mechanism you have provided is not supported. Please use ${understood}.`
    throw new ObjstoreError(400, "InvalidRequest", message)
  }
  if (version === "v4") checkSignatureV4(request, settings)
  else checkSignatureV2(request, settings)
}

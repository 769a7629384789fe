import { findJsonExcess } from "@assay/json"
import { AssayError } from "@assay/schemas"
import { inToto } from "@assay/signatures"
import { Type, type Static } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { canonicalJson } from "../canonical-json.ts"
import type { SigningKey } from "./signing-key.ts"

const closed = { additionalProperties: false } as const
const Envelope = Type.Object(
  {
    payload: Type.String(),
    payloadType: Type.String(),
    signatures: Type.Array(Type.Object({ keyid: Type.String({ maxLength: 64 }), sig: Type.String() }, closed)),
  },
  closed,
)

/** A DSSE envelope with one signature. */
export interface SignedEnvelope {
  /** The statement as it was signed. */
  readonly payload: Buffer
  readonly keyid: string
  readonly signature: Buffer
}

/** Signs a statement, and returns the envelope as canonical JSON. */
export function signEnvelope(payload: Buffer, key: SigningKey): string {
  return canonicalJson({
    payload: payload.toString("base64"),
    payloadType: inToto.type,
    signatures: [{ keyid: key.keyid, sig: key.sign(inToto.signingBytes(payload)).toString("base64") }],
  } satisfies Static<typeof Envelope>)
}

/** Reads an envelope. Only its canonical form is accepted. @throws `bad_document` */
export function readEnvelope(text: string): SignedEnvelope {
  const envelope = parse(text)
  if (canonicalJson(envelope) !== text) throw refused("the envelope is not in its canonical form")
  const { payload, payloadType, signatures } = envelope
  if (payloadType !== inToto.type) throw refused(`payloadType is ${JSON.stringify(payloadType).slice(0, 100)}`)
  const [signature, ...others] = signatures
  if (signature === undefined || others.length > 0) {
    throw refused(`the envelope has ${signatures.length} signatures, and a bundle has one`)
  }
  return { payload: bytesOf(payload, "payload"), keyid: signature.keyid, signature: bytesOf(signature.sig, "sig") }
}

function parse(text: string): Static<typeof Envelope> {
  // Two levels below the envelope, and a key for each value.
  if (findJsonExcess(text, { depth: 4, parts: 100, values: 100, keys: 10 }) !== undefined) {
    throw refused("its first line is not a DSSE envelope with one signature")
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refused("its first line is not JSON")
  }
  if (Value.Check(Envelope, value)) return value
  throw refused("its first line is not a DSSE envelope")
}

function bytesOf(text: string, name: string): Buffer {
  const bytes = Buffer.from(text, "base64")
  if (bytes.toString("base64") === text) return bytes
  throw refused(`${name} is not canonical base64`)
}

/** Returns the refusal of a file that is not a bundle, or not in its one form. */
export function refused(why: string): AssayError {
  const remedy = "Name a file as 'assay eval bundle' wrote it, or ask whoever sent it for another copy."
  return new AssayError("bad_document", `The file is not a verdict bundle in its one form: ${why}.`, {
    context: { remedy },
  })
}

import { Type, type Static } from "@sinclair/typebox"
import { enumeration, orNull } from "../records/field-types.ts"

/** How a fileset treats the signature of its model. */
export const SIGNATURE_MODES = ["required", "report"] as const
export type SignatureMode = (typeof SIGNATURE_MODES)[number]

/** Path of a signature unless another one is named. */
export const DEFAULT_SIGNATURE_PATH = "model.sig"

const SIGNATURE_STATES = ["verified", "differs", "untrusted", "missing", "unreadable"] as const

/** Maximum number of files that a status names. */
export const MAX_DIFFERING = 100

/** The verdict of a model's signature about its files when the fileset was created. */
export const SignatureStatus = Type.Object(
  {
    state: enumeration(SIGNATURE_STATES, {
      description:
        "verified: somebody who is trusted signed these files. differs: files are missing, or were not signed. untrusted: no trusted key or certificate signed. " +
        "missing: there is no signature. unreadable: it was changed, or is of another kind.",
    }),
    signer: orNull<string>("string", "The file of the trusted key, or the subject of the certificate."),
    reason: orNull<string>("string", "Why the state is not verified."),
    differing: Type.Array(
      Type.Object({
        path: Type.String(),
        fault: enumeration(["changed", "missing", "unsigned"], {
          description: "changed: other bytes. missing: signed, but not there. unsigned: there, but not signed.",
        }),
      }),
      { description: `The files that differ, at most ${MAX_DIFFERING}.` },
    ),
  },
  { $id: "SignatureStatus" },
)
export type SignatureStatus = Static<typeof SignatureStatus>

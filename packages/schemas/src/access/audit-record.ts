import { Type, type Static } from "@sinclair/typebox"
import { orNull, Timestamp } from "../records/field-types.ts"

/** A change and its caller: one write over HTTP, several of files, or several that failed alike. It has no values and no bodies. */
export const AuditRecord = Type.Object(
  {
    created_at: Timestamp,
    token: orNull<string>("string", "The id of the token. Null without auth, and for people of the identity provider."),
    token_name: Type.String({
      description:
        "The name that the token had; of a person, the e-mail address, user name or name that the identity provider said; `local` without auth.",
    }),
    subject: orNull<string>("string", "The claim `sub` of a person of the identity provider. Null for others."),
    address: orNull<string>(
      "string",
      "The address of the client, behind proxies as ASSAY_TRUST_PROXY says. Null in records of older versions.",
    ),
    door: orNull<string>(
      "string",
      "How the request came: `api`, `console`, `hub` or `s3`. Null in records of older versions.",
    ),
    method: Type.String({ examples: ["PUT"] }),
    action: Type.String({
      description: "The operation in the API description; `*` for failures of several operations.",
      examples: ["writeFile"],
    }),
    kind: Type.String({ description: "The group of operations in the API description.", examples: ["files"] }),
    workspace: orNull<string>("string", "Null for what belongs to no workspace, such as a token."),
    name: orNull<string>(
      "string",
      "The name or the id of the written record; of a file, the fileset and the path; of several files, the fileset. Null if the record counts failures.",
    ),
    status: Type.Integer({ description: "The status of the response.", examples: [200] }),
    request: Type.String({ description: "The id of the first request, as in the log." }),
    count: Type.Integer({
      description:
        "Number of requests. Files that a caller writes to a fileset within an hour are counted together. So are deleted files beyond the first 100, and failures beyond the first 100 if they have the same action, workspace and status.",
      examples: [1],
    }),
    last_at: Timestamp,
  },
  { $id: "AuditRecord" },
)
export type AuditRecord = Static<typeof AuditRecord>

/** One page of records, newest first. */
export const AuditPage = Type.Object(
  {
    data: Type.Array(AuditRecord),
    next_cursor: Type.Optional(
      Type.String({
        description:
          "Send it as `cursor` for older records; absent at the end. A page with a filter can be short, or empty, and have one.",
      }),
    ),
  },
  { $id: "AuditPage" },
)
export type AuditPage = Static<typeof AuditPage>

const FIELDS = [
  "token",
  "token_name",
  "subject",
  "address",
  "door",
  "method",
  "action",
  "kind",
  "workspace",
  "name",
  "status",
  "request",
] as const
export const AUDIT_LISTING = { filter: FIELDS, search: FIELDS } as const

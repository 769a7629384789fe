import { Type, type Static } from "@sinclair/typebox"
import { AnyName } from "./records/field-types.ts"
import { Grant } from "./access/token.ts"

/** The default address of a server, for the server and for its clients. */
export const DEFAULT_SERVER_URL = "http://127.0.0.1:8080"

export const ServiceStatus = Type.Object(
  {
    status: Type.String({
      description:
        "`healthy`, or `unhealthy` if the registry can't be used. Other checks that are not ok are warnings.",
    }),
    version: Type.String(),
    checks: Type.Record(AnyName, Type.Object({ ok: Type.Boolean(), detail: Type.Optional(Type.String()) })),
  },
  { $id: "ServiceStatus" },
)
export type ServiceStatus = Static<typeof ServiceStatus>

/** A token that a browser exchanges for a cookie. */
export const SignIn = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 1000, description: "Not stored, and in no answer." }) },
  { $id: "SignIn", additionalProperties: false },
)
export type SignIn = Static<typeof SignIn>

const SessionUser = Type.Object({
  subject: Type.String({ description: "The claim `sub`." }),
  name: Type.String({ description: "The e-mail address, a user name or a name, else the subject." }),
})

const SignInProvider = Type.Object({
  host: Type.String({ examples: ["login.example.com"] }),
  has_sign_out: Type.Boolean({
    description: "Whether it has a page that ends its own session: `GET /session/oidc/end`.",
  }),
})

/** The caller behind a browser, and its rights. */
export const Session = Type.Object(
  {
    auth: Type.Unsafe<"off" | "tokens" | "oidc">({ type: "string", enum: ["off", "tokens", "oidc"] }),
    signed_in: Type.Boolean({ description: "Always true without auth." }),
    token: Type.Union([Type.String({ description: "The id of the token." }), Type.Null()]),
    user: Type.Union([SessionUser, Type.Null()], { description: "Null for the holder of a token of this server." }),
    provider: Type.Union([SignInProvider, Type.Null()], {
      description: "The identity provider, if people can sign in there: `GET /session/oidc`.",
    }),
    grants: Type.Array(Grant),
    version: Type.String({ description: "The version of the server." }),
  },
  { $id: "Session" },
)
export type Session = Static<typeof Session>

export const ClusterInfo = Type.Object(
  { platform_version: Type.String(), revision: Type.String() },
  { $id: "ClusterInfo" },
)
export type ClusterInfo = Static<typeof ClusterInfo>

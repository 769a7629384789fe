import { enumeration, ROLES } from "@assay/schemas"
import { Type } from "@sinclair/typebox"

const text = (description: string, options = {}) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description, ...options }))

/** Maximum number of rules. A session names those that its person meets, and has to fit into a cookie. */
const MAX_RULES = 500

/** A role for everyone whose claim has a value. */
const OidcGrant = Type.Object(
  {
    claim: Type.String({ minLength: 1, maxLength: 200 }),
    value: Type.String({ minLength: 1, maxLength: 1000 }),
    workspace: Type.String({ minLength: 1, maxLength: 63 }),
    role: enumeration(ROLES),
  },
  { additionalProperties: false },
)

/** The settings of the company's identity provider, for ASSAY_AUTH=oidc. */
export const OIDC_SETTINGS = {
  ASSAY_OIDC_ISSUER: text(
    "Issuer of the identity provider, exactly as its tokens write it, such as https://login.example.com/realms/main. http only on loopback.",
  ),
  ASSAY_OIDC_AUDIENCE: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
    default: [],
    description:
      "Audiences (aud) of access tokens for this server, whichever client asked for them. Absent: only tokens that ASSAY_OIDC_CLIENT_ID asked for itself.",
  }),
  ASSAY_OIDC_GRANTS: Type.Array(OidcGrant, {
    default: [],
    maxItems: MAX_RULES,
    description:
      'Rights by claims, as a JSON list such as [{"claim":"groups","value":"ml","workspace":"research","role":"editor"}]. A claim can be a path and hold a text or a list; the workspace * is all.',
  }),
  ASSAY_OIDC_CLIENT_ID: text(
    "Client with which people sign in to the console, at the redirect address <ASSAY_PUBLIC_URL>/session/oidc/callback. Absent: the console asks for tokens.",
  ),
  ASSAY_OIDC_CLIENT_SECRET: text(
    "Reference to the secret of that client, such as system/oidc-client; without a workspace, it is in system. Absent: a public client, which PKCE alone protects.",
    { pattern: "^(?:[^/\\s]+/)?[^/\\s]+$" },
  ),
  ASSAY_OIDC_SCOPES: Type.Array(Type.String({ pattern: "^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$" }), {
    default: ["openid", "profile", "email"],
    description: "Scopes that a sign-in asks for. Some providers send groups only with a scope of their own.",
  }),
}

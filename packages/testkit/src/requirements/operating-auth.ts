import { built, type Requirement } from "./requirement.ts"

/** Tokens, roles and rights. */
export const OPERATING_AUTH: readonly Requirement[] = [
  ...built("details: Auth", {
    "auth.token-create": "`token create` makes a token with a role, a workspace or `*`, and an optional expiry.",
    "auth.token-printed-once": "A token is printed once, when it is made.",
    "auth.token-hashed": "The tokens file keeps SHA-256 only, never a token.",
    "auth.tokens-file":
      "The tokens file is in the data folder by default, 0600, with id, name, sha256, grants and expires_at.",
    "auth.token-list": "`token list` shows the tokens without their values.",
    "auth.token-revoke": "`token revoke` ends a token.",
    "auth.token-expires": "An expired token is refused.",
    "auth.changes-at-once": "The running server sees changes of the tokens file at once.",
    "auth.bearer": "A token is sent as `Authorization: Bearer …`; no token or a bad one is a 401.",
    "auth.viewer": "A viewer reads records and files, and writes nothing.",
    "auth.editor": "An editor also writes records and files, and manages no secrets or workspaces.",
    "auth.admin": "An admin also manages secrets and workspaces.",
    "auth.hidden": "What the caller may not see is a 404.",
    "auth.forbidden": "What the caller may see and not do is a 403.",
    "auth.listing": "A listing over workspaces shows only those that the caller may see.",
    "auth.rate-limit":
      "After 10 failed tokens a minute an address gets 429 for further ones; a valid token always passes.",
    "auth.writes-logged": "Every write is logged with the token's id.",
  }),
  ...built("details: Auth", {
    "auth.cross-workspace-secrets": "A reference to a secret of another workspace needs the right there too.",
  }),
  ...built("details: Auth", {
    "auth.cross-workspace-filesets": "A reference to a fileset of another workspace needs the right there too.",
  }),
  ...built("trust §1", {
    "auth.cross-site":
      "A write with a foreign Origin or Sec-Fetch-Site is a 403 unless a bearer token names the caller; without both headers it passes.",
    "auth.cors": "CORS headers are sent to the origins of ASSAY_ALLOWED_ORIGINS alone.",
    "auth.trust-proxy": "The client's address comes from X-Forwarded-For only where ASSAY_TRUST_PROXY lists the peer.",
  }),
  ...built("details: Further answers", {
    "auth.health-open": "/health needs no token.",
    "auth.metrics": "/metrics needs viewer on `*`.",
  }),
]

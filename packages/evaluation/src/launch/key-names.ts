/** What a key that was written inline is shown as. */
export const HIDDEN_KEY = "******"

/** Keys that may be written inline, and under which name the reference to their secret stands beside them. */
export const INLINE_KEYS: Readonly<Record<string, string>> = {
  api_key: "api_key_secret",
  hf_token: "hf_token_secret",
}

const SECRET_NAMES = new Set([
  "apikey",
  "xapikey",
  "hftoken",
  "accesstoken",
  "authtoken",
  "bearertoken",
  "authorization",
  "proxyauthorization",
  "clientsecret",
  "password",
])

/** Whether what stands under `name` is a key, however its words are joined: `api_key`, `apiKey`, `X-API-Key`. */
export function isKeyName(name: string): boolean {
  return SECRET_NAMES.has(name.replace(/[\s_-]/g, "").toLowerCase())
}

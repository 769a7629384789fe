import { parseCookie, stringifySetCookie } from "cookie"

const NAME = "assay_session"

/** Milliseconds until an unused session ends. */
export const SESSION_MS = 12 * 60 * 60 * 1000

/** The cookie of a sign-in at the identity provider. Over TLS, no other host of the same domain can set it. */
function attemptName(isSecure: boolean): string {
  return isSecure ? "__Host-assay_sign_in" : "assay_sign_in"
}

/** Returns the value of the cookie of a sign-in, undefined if there is none. */
export function attemptCookieOf(header: string | undefined, isSecure: boolean): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[attemptName(isSecure)]
}

/** Returns the `Set-Cookie` header of a sign-in. The browser sends it when the provider leads it back, and scripts can't read it. */
export function setAttemptCookie(value: string, { isSecure, seconds }: { isSecure: boolean; seconds: number }): string {
  const rules = { path: "/", maxAge: seconds, httpOnly: true, sameSite: "lax", secure: isSecure } as const
  return stringifySetCookie({ name: attemptName(isSecure), value, ...rules })
}

/** Returns the value of our cookie in a `Cookie` header, undefined if it has none. */
export function sessionCookieOf(header: string | undefined): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[NAME]
}

/** Returns the `Set-Cookie` header of a session. Scripts can't read it, and no other site can make a browser send it. */
export function setSessionCookie(value: string, { isSecure, seconds }: { isSecure: boolean; seconds: number }): string {
  const rules = { path: "/", maxAge: seconds, httpOnly: true, sameSite: "strict", secure: isSecure } as const
  return stringifySetCookie({ name: NAME, value, ...rules })
}

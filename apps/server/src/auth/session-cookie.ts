import { parseCookie, stringifySetCookie } from "cookie"

const NAME = "assay_session"

/** Milliseconds until an unused session ends. */
export const SESSION_MS = 12 * 60 * 60 * 1000

/** Returns the value of our cookie in a `Cookie` header, undefined if it has none. */
export function sessionCookieOf(header: string | undefined): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[NAME]
}

/** Returns the `Set-Cookie` header of a session. Scripts can't read it, and no other site can make a browser send it. */
export function setSessionCookie(value: string, { isSecure, seconds }: { isSecure: boolean; seconds: number }): string {
  const rules = { path: "/", maxAge: seconds, httpOnly: true, sameSite: "strict", secure: isSecure } as const
  return stringifySetCookie({ name: NAME, value, ...rules })
}

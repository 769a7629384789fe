const NAME = "assay_session"

/** Returns the value of our cookie in a `Cookie` header, undefined if it has none. */
export function sessionCookieOf(header: string | undefined): string | undefined {
  return header
    ?.split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${NAME}=`))
    ?.slice(NAME.length + 1)
}

/** Returns the `Set-Cookie` header of a session. Scripts can't read it, and no other site can make a browser send it. */
export function setSessionCookie(value: string, { isSecure, seconds }: { isSecure: boolean; seconds: number }): string {
  const secure = isSecure ? "; Secure" : ""
  return `${NAME}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}

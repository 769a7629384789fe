/** Methods of requests that only read (RFC 9110 §9.2.1), as far as a server of ours has them. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

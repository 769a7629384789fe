/** The behaviour of one bucket. */
export interface FakeBucket {
  /** Whether requests without a signature may read and list it. Default false. */
  readonly publicRead?: boolean
}

export interface FakeObjstoreOptions {
  /** Buckets by name. Default: one bucket, `files`. */
  readonly buckets?: Readonly<Record<string, FakeBucket>>
  /** Default `us-east-1`. */
  readonly region?: string
  /** Default `fake-access-key`. */
  readonly accessKeyId?: string
  /** Default `fake-secret-key`. */
  readonly secretAccessKey?: string
  /** The supported signatures. Default: both. */
  readonly signatures?: readonly ("v2" | "v4")[]
  /** Status of requests without a signature to private buckets. Swift returns 400 and HTML. Default 403. */
  readonly anonymousStatus?: 400 | 403
  /** The effect of `If-Match` and `If-None-Match` on writes: Swift returns 501, and old servers ignore them. Default "supported". */
  readonly conditionalWrites?: "supported" | "not-implemented" | "ignored"
  /**
   * How to handle bodies framed by `aws-chunked`: refused with 501, or stored with their frames, as servers do that
   * have never heard of it. Default "refuse".
   */
  readonly awsChunked?: "refuse" | "store-framed"
  /** Minimum size of a part of a multipart upload, except the last. Default 5 MiB. */
  readonly minimumPartSize?: number
  /** Whether uploaded bytes are checked and counted but not stored. Default false. */
  readonly discardUploads?: boolean
  /** Milliseconds before each answer. Default 0. */
  readonly latencyMs?: number
  /** Bytes per second of each connection, in both directions. Default: unlimited. */
  readonly bytesPerSecond?: number
  /** Milliseconds since 1970, UTC: the clock for signatures and dates of objects. Default: the real clock. */
  readonly now?: () => number
}

/** The options with all defaults. */
export type ObjstoreSettings = Required<FakeObjstoreOptions>

export function objstoreSettings(options: FakeObjstoreOptions): ObjstoreSettings {
  return {
    buckets: { files: {} },
    region: "us-east-1",
    accessKeyId: "fake-access-key",
    secretAccessKey: "fake-secret-key",
    signatures: ["v2", "v4"],
    anonymousStatus: 403,
    conditionalWrites: "supported",
    awsChunked: "refuse",
    minimumPartSize: 5 * 1024 * 1024,
    discardUploads: false,
    latencyMs: 0,
    bytesPerSecond: Infinity,
    now: Date.now,
    ...options,
  }
}

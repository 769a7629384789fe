/** How one bucket of the fake behaves. */
export interface FakeBucket {
  /** Whether requests without a signature may read and list it. Default false. */
  readonly publicRead?: boolean
}

export interface FakeObjstoreOptions {
  /** Names and what they allow. Default: one bucket, `files`. */
  readonly buckets?: Readonly<Record<string, FakeBucket>>
  /** Default `us-east-1`. */
  readonly region?: string
  /** Default `fake-access-key`. */
  readonly accessKeyId?: string
  /** Default `fake-secret-key`. */
  readonly secretAccessKey?: string
  /** The signatures that are understood. Default both. */
  readonly signatures?: readonly ("v2" | "v4")[]
  /** Status of requests without a signature to what is not public; Swift answers 400, and HTML. Default 403. */
  readonly anonymousStatus?: 400 | 403
  /** What `If-Match` and `If-None-Match` do to writes: Swift answers 501, old servers overlook them. Default "supported". */
  readonly conditionalWrites?: "supported" | "not-implemented" | "ignored"
  /**
   * What is done with bodies framed by `aws-chunked`: refused with 501, or stored with their frames, as servers do that
   * have never heard of it. Default "refuse".
   */
  readonly awsChunked?: "refuse" | "store-framed"
  /** Bytes that a part of a multipart upload must have unless it is the last. Default 5 MiB. */
  readonly minimumPartSize?: number
  /** Whether uploaded bytes are checked and counted, but not kept. Default false. */
  readonly discardUploads?: boolean
  /** Milliseconds before each answer. Default 0. */
  readonly latencyMs?: number
  /** Bytes per second of each connection, in both directions. Default: as many as it takes. */
  readonly bytesPerSecond?: number
  /** Milliseconds since 1970, UTC: what signatures are compared with, and objects are dated by. Default: the clock. */
  readonly now?: () => number
}

/** The options, with every default filled in. */
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

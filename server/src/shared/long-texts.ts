// Where long texts of a body end, so that nobody walks over them twice.

/** The end of each long text by its start, in bytes of a body that these bytes may be a part of. */
export interface LongTexts {
  readonly ends: ReadonlyMap<number, number>;
  /** Where the part begins. */
  readonly offset: number;
}

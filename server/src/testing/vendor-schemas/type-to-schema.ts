// A TypeScript type as a strict JSON schema: what is not optional is required, null only where the type has it, no field that
// the type does not name. Methods and accessors of classes are not on the wire and are left out.
import { type Checker, isErrorType, type Symbol, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync';

export type JsonSchema = { [key: string]: unknown };

const NOT_ON_WIRE = SymbolFlags.Method | SymbolFlags.Accessor;

export class SchemaMaker {
  readonly $defs: Record<string, JsonSchema> = {};
  readonly #names = new Map<number, string>();
  readonly #checker: Checker;

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  make(type: Type): JsonSchema {
    const { flags } = type;
    if (isErrorType(type)) throw new Error('the compiler does not know a type');
    if (flags & TypeFlags.AnyOrUnknown) return {};
    if (flags & TypeFlags.Null) return { type: 'null' };
    if (flags & TypeFlags.Literal && type.isLiteralType()) return { enum: [type.value] };
    if (flags & TypeFlags.StringLike) return { type: 'string' };
    if (flags & TypeFlags.NumberLike) return { type: 'number' };
    if (flags & TypeFlags.BooleanLike && !type.isUnionType()) return { type: 'boolean' };
    if (flags & TypeFlags.NonPrimitive) return { type: 'object' };
    if (flags & TypeFlags.Never) return { not: {} };
    if (type.isUnionType()) return this.#makeUnion(type.getTypes());
    if (type.isIntersectionType()) return this.#makeIntersection(type, type.getTypes());
    if (this.#checker.isArrayType(type) && type.isTypeReference()) {
      const [item] = this.#checker.getTypeArguments(type);
      return { type: 'array', items: item === undefined ? {} : this.make(item) };
    }
    if (type.isObjectType()) return this.#refer(type);
    throw new Error(`no schema for ${this.#checker.typeToString(type)}`);
  }

  #makeUnion(types: readonly Type[]): JsonSchema {
    const literals: unknown[] = [];
    const schemas: JsonSchema[] = [];
    for (const type of types) {
      if (type.flags & (TypeFlags.Undefined | TypeFlags.Void)) continue;
      if (type.flags & TypeFlags.Literal && type.isLiteralType()) literals.push(type.value);
      else schemas.push(this.make(type));
    }
    if (literals.length > 0) schemas.push({ enum: literals });
    return schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas };
  }

  /** `string & {}` is how a list of known words stays open. */
  #makeIntersection(type: Type, types: readonly Type[]): JsonSchema {
    const primitive = types.find(({ flags }) => flags & TypeFlags.Primitive);
    return primitive === undefined ? this.#refer(type) : this.make(primitive);
  }

  #refer(type: Type): JsonSchema {
    const known = this.#names.get(type.id);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const name = this.#nameOf(type);
    this.#names.set(type.id, name);
    this.$defs[name] = {};
    this.$defs[name] = this.#makeObject(type);
    return { $ref: `#/$defs/${name}` };
  }

  #nameOf(type: Type): string {
    const named = type.getAliasSymbol() ?? type.getSymbol();
    const word = named === undefined || named.name.startsWith('__') ? 'Anonymous' : qualifiedName(named);
    const name = word.replaceAll(/[^A-Za-z0-9.]/g, '');
    if (!(name in this.$defs)) return name;
    const [, vendor = 'other'] = /node_modules\/@?([a-z-]+)/.exec(String(named?.declarations[0]?.path)) ?? [];
    const full = `${vendor}:${name}`;
    let number = 2;
    while (`${full}${number}` in this.$defs) number++;
    return full in this.$defs ? `${full}${number}` : full;
  }

  #makeObject(type: Type): JsonSchema {
    const symbols = this.#checker.getPropertiesOfType(type).filter(({ flags }) => !(flags & NOT_ON_WIRE));
    const types = symbols.length === 0 ? [] : this.#checker.getTypeOfSymbol(symbols);
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const [index, { name, flags }] of symbols.entries()) {
      const property = types[index];
      if (property === undefined) throw new Error(`no type of ${name}`);
      properties[name] = this.make(property);
      if (!(flags & SymbolFlags.Optional)) required.push(name);
    }
    const [indexInfo] = this.#checker.getIndexInfosOfType(type);
    const additionalProperties = indexInfo === undefined ? false : this.make(indexInfo.valueType);
    return { type: 'object', properties, required, additionalProperties };
  }
}

/** With the namespaces inside of its file: `ChatCompletion.Choice`. */
function qualifiedName(symbol: Symbol): string {
  const parent = symbol.getParent();
  const isFile = parent === undefined || /["/]/.test(parent.name);
  return isFile ? symbol.name : `${qualifiedName(parent)}.${symbol.name}`;
}

import proto from '@temporalio/proto';
import { searchAttributes } from '#temporal/search-attributes';

const { INDEXED_VALUE_TYPE_KEYWORD, INDEXED_VALUE_TYPE_INT } = proto.temporal.api.enums.v1.IndexedValueType;

/** The types of the search attributes by name, as Temporal's operator service expects them. */
export const indexedTypes = Object.fromEntries(
  Object.entries(searchAttributes).map(([name, type]) => [
    name,
    type === 'INT' ? INDEXED_VALUE_TYPE_INT : INDEXED_VALUE_TYPE_KEYWORD,
  ]),
);

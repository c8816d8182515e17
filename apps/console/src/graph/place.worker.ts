import {
  type Drawing,
  type DrawnBlock,
  type DrawnEdge,
  placeGraph,
} from '#libs/platform/drawing/graph-layout';

/** A graph that is to be placed. `shape` comes back with the places. */
export interface PlaceRequest {
  shape: string;
  blocks: DrawnBlock[];
  edges: DrawnEdge[];
}

export interface Placed {
  shape: string;
  places: Drawing;
}

addEventListener('message', ({ data: { shape, blocks, edges } }: MessageEvent<PlaceRequest>) => {
  postMessage({ shape, places: placeGraph(blocks, edges) } satisfies Placed);
});

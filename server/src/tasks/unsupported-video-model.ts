// What the caller of a model is told where no channel makes videos of it.
import type { Principal } from '../access/principal.ts';
import type { Catalogue, Model } from '../catalogue/catalogue.ts';
import type { GatewayError } from '../errors/gateway-error.ts';
import type { VideoUnit } from '../providers/video-provider.ts';
import { unfitModel } from '../relay/unfit-model.ts';

const UNITS: readonly VideoUnit[] = ['second', 'video_tokens', 'reported'];

export function unsupportedVideoModel(catalogue: Catalogue, scope: Principal, model: Model): GatewayError {
  return unfitModel(catalogue, { scope, model, units: UNITS });
}

// What the tests know of each vendor of videos: a request, what the vendor must be sent for it, and its price.
import type { SandboxProvider } from '../../server/src/sandbox/server.ts';

export interface Vendor {
  provider: SandboxProvider;
  /** As the vendor calls it. */
  model: string;
  key?: string;
  /** What the submit asks for beside the prompt. */
  body: Record<string, unknown>;
  price: object;
  /** What a success costs of 100, with the words of the arithmetic. */
  cost: string;
  arithmetic: RegExp;
  /** Prices by what the vendor itself reports, where it does. */
  reported?: { price: object; cost: string; held: string };
  /** A refusal of this vendor's fields: what is sent, and what the caller reads. */
  bad: { metadata: Record<string, unknown>; message: RegExp };
  /** The request that the vendor got. */
  sent: { path: string; body: Record<string, unknown> };
  /** A submit whose answer was lost is found again by the name that we gave it. */
  findsLost?: true;
  /** It lists what it took lately: a submit whose answer was lost is found there when it can be no other. */
  lists?: true;
  /** The call that ends a task, and what else the submit must say for that; absent where the vendor has none. */
  cancel?: { method: string; path: RegExp; metadata?: Record<string, unknown> };
  /** Only the gateway's key opens the video: clients are shown the gateway's own link. */
  needsKey?: true;
  /** Its `completed` is believed: there is no link in it. */
  hasNoLink?: true;
  archives: boolean;
}

const image = 'https://media.example/a.png';
const second = (amount: string, more: object = {}): object => ({ unit: 'second', amount, ...more });
const reported = (amount: string, hold: string): object => ({ unit: 'reported', amount, hold });

/** Every kind of request of every vendor, with what the vendor is sent and what a success costs. */
export const vendors: Record<string, Vendor> = {
  kling: {
    provider: 'kling',
    model: 'kling-v2-6',
    key: 'sandbox:sandbox-secret',
    body: { seconds: '10', size: '1280x720', mode: 'pro', metadata: { sound: 'on' } },
    price: second('0.1', { factors: { 'mode:pro': '1.5', 'sound:on': '1.2', 'mode:std': '9' } }),
    cost: '1.8',
    arithmetic: /^10 seconds x 0\.1 x 1 \(1080P\) x 1\.5 \(mode:pro\) x 1\.2 \(sound:on\)$/,
    reported: { price: reported('0.14', '5'), cost: '0.49', held: '5' },
    bad: { metadata: { cfg_scale: 7 }, message: /cfg_scale is not valid/ },
    sent: {
      path: '/kling/v1/videos/text2video',
      body: { model_name: 'kling-v2-6', duration: '10', aspect_ratio: '16:9', mode: 'pro', sound: 'on' },
    },
    findsLost: true,
    archives: false,
  },
  'kling with a picture': {
    provider: 'kling',
    model: 'kling-v2-1-master',
    body: { image: 'data:image/png;base64,QUJD', duration: 5 },
    price: second('0.2'),
    cost: '1',
    arithmetic: /^5 seconds x 0\.2 x 1 \(720P\)$/,
    bad: { metadata: { shot_type: 'wild' }, message: /shot_type is not valid/ },
    sent: { path: '/kling/v1/videos/image2video', body: { image: 'QUJD', duration: '5' } },
    findsLost: true,
    archives: false,
  },
  'minimax H3': {
    provider: 'minimax',
    model: 'MiniMax-H3',
    body: { seconds: '6', metadata: { resolution: '2K', ratio: '9:16' } },
    price: second('0.08', { resolution: { '768P': '1', '2K': '1.625' } }),
    cost: '0.78',
    arithmetic: /^6 seconds x 0\.08 x 1\.625 \(2K\)$/,
    reported: { price: reported('0.13', '2'), cost: '0.78', held: '2' },
    bad: { metadata: { duration: 40 }, message: /duration is not valid/ },
    sent: {
      path: '/minimax/v2/video_generation',
      body: { model: 'MiniMax-H3', duration: 6, resolution: '2K', ratio: '9:16' },
    },
    cancel: { method: 'DELETE', path: /\/v2\/video_generation\/\d+$/ },
    archives: true,
  },
  'minimax Hailuo': {
    provider: 'minimax',
    model: 'MiniMax-Hailuo-2.3',
    body: { duration: 6, images: [image] },
    price: second('0.05'),
    cost: '0.3',
    arithmetic: /^6 seconds x 0\.05 x 1 \(768P\)$/,
    bad: { metadata: { duration: 7 }, message: /duration is not valid/ },
    sent: { path: '/minimax/v1/video_generation', body: { first_frame_image: image, duration: 6, resolution: '768P' } },
    archives: true,
  },
  runway: {
    provider: 'runway',
    model: 'gen4.5',
    body: { seconds: '4', size: '720x1280', images: [image] },
    price: second('0.12', { factors: { 'audio:on': '2' } }),
    cost: '0.48',
    arithmetic: /^4 seconds x 0\.12 x 1 \(720P\)$/,
    reported: { price: reported('0.01', '3'), cost: '0.48', held: '3' },
    bad: { metadata: { seed: -1 }, message: /seed is not valid/ },
    sent: { path: '/runway/v1/image_to_video', body: { promptImage: image, ratio: '720:1280', duration: 4 } },
    cancel: { method: 'DELETE', path: /\/v1\/tasks\/[^/]+$/ },
    archives: true,
  },
  'luma Agents': {
    provider: 'luma',
    model: 'ray-3.2',
    body: { images: [image, `${image}?end`], metadata: { video: { resolution: '1080p' }, loop: true } },
    price: second('0.1', { resolution: { '1080P': '2' }, factors: { 'loop:on': '1.1' } }),
    cost: '1.1',
    arithmetic: /^5 seconds x 0\.1 x 2 \(1080P\) x 1\.1 \(loop:on\)$/,
    bad: { metadata: { aspect_ratio: '5:1' }, message: /aspect_ratio is not valid/ },
    sent: {
      path: '/luma/v1/generations',
      body: {
        type: 'video',
        video: {
          resolution: '1080p',
          duration: '5s',
          loop: true,
          start_frame: { url: image },
          end_frame: { url: `${image}?end` },
        },
      },
    },
    archives: true,
  },
  'luma Dream Machine': {
    provider: 'luma',
    model: 'ray-2',
    body: { seconds: '9', image },
    price: second('0.1'),
    cost: '0.9',
    arithmetic: /^9 seconds x 0\.1 x 1 \(720P\)$/,
    bad: { metadata: { resolution: '8k' }, message: /resolution is not valid/ },
    sent: {
      path: '/luma/dream-machine/v1/generations/video',
      body: { duration: '9s', keyframes: { frame0: { type: 'image', url: image } } },
    },
    cancel: { method: 'DELETE', path: /\/dream-machine\/v1\/generations\/[^/]+$/ },
    archives: true,
  },
  vidu: {
    provider: 'vidu',
    model: 'viduq2',
    body: { seconds: '4', images: [image, `${image}?end`], metadata: { bgm: true } },
    price: second('0.05', { factors: { 'bgm:on': '1.2' } }),
    cost: '0.24',
    arithmetic: /^4 seconds x 0\.05 x 1 \(720P\) x 1\.2 \(bgm:on\)$/,
    reported: { price: reported('0.005', '1'), cost: '0.08', held: '1' },
    bad: { metadata: { movement_amplitude: 'huge' }, message: /movement_amplitude is not valid/ },
    sent: { path: '/vidu/ent/v2/start-end2video', body: { images: [image, `${image}?end`], duration: 4, bgm: true } },
    cancel: { method: 'POST', path: /\/ent\/v2\/tasks\/\d+\/cancel$/, metadata: { off_peak: true } },
    archives: true,
  },
  xai: {
    provider: 'xai-video',
    model: 'grok-imagine-video',
    body: { seconds: '6', size: '1280x720' },
    price: second('0.05', { resolution: { '480P': '1', '720P': '1.4' } }),
    cost: '0.42',
    arithmetic: /^6 seconds x 0\.05 x 1\.4 \(720P\)$/,
    reported: { price: reported('1.1', '2'), cost: '0.462', held: '2' },
    bad: { metadata: { aspect_ratio: '8:1' }, message: /aspect_ratio is not valid/ },
    sent: { path: '/xai/v1/videos/generations', body: { duration: 6, resolution: '720p', aspect_ratio: '16:9' } },
    archives: true,
  },
  'gemini Omni': {
    provider: 'gemini-video',
    model: 'gemini-omni-1.1-flash',
    body: { seconds: '6', size: '1280x720', image: 'data:image/png;base64,QUJD' },
    price: second('0.1'),
    cost: '0.6',
    arithmetic: /^6 seconds x 0\.1 x 1 \(720P\)$/,
    reported: { price: reported('0.0000175', '2'), cost: '0.60816', held: '2' },
    bad: { metadata: { resolution: '9k' }, message: /response_format is not valid/ },
    sent: {
      path: '/gemini-omni/v1beta/interactions',
      body: {
        background: true,
        response_format: { type: 'video', duration: '6s', resolution: '720p', aspect_ratio: '16:9' },
        input: [{ content: [{ type: 'image', data: 'QUJD', mime_type: 'image/png' }, { type: 'text' }] }],
      },
    },
    cancel: { method: 'POST', path: /\/v1beta\/interactions\/[^/]+\/cancel$/ },
    needsKey: true,
    archives: true,
  },
  'gemini Omni inside the answer': {
    provider: 'gemini-video',
    model: 'gemini-omni-1.1-flash',
    body: { metadata: { response_format: { delivery: 'inline', duration: '4s' } } },
    price: second('0.1'),
    cost: '0.4',
    arithmetic: /^4 seconds x 0\.1 x 1 \(720P\)$/,
    bad: { metadata: { duration: 90 }, message: /response_format is not valid/ },
    sent: {
      path: '/gemini-omni/v1beta/interactions',
      body: { response_format: { delivery: 'inline', duration: '4s' } },
    },
    needsKey: true,
    archives: true,
  },
  'veo on Vertex': {
    provider: 'vertex-video',
    model: 'veo-3.1-generate-001',
    body: {
      seconds: '4',
      images: ['data:image/png;base64,QUJD', 'data:image/png;base64,REVG'],
      metadata: { parameters: { generateAudio: false }, seed: 0 },
    },
    price: second('0.4', { factors: { 'audio:off': '0.5' } }),
    cost: '0.8',
    arithmetic: /^4 seconds x 0\.4 x 1 \(720P\) x 0\.5 \(audio:off\)$/,
    bad: { metadata: { durationSeconds: 5 }, message: /parameters is not valid/ },
    sent: {
      path: '/veo/v1/publishers/google/models/veo-3.1-generate-001:predictLongRunning',
      body: {
        instances: [{ image: { bytesBase64Encoded: 'QUJD' }, lastFrame: { bytesBase64Encoded: 'REVG' } }],
        parameters: { durationSeconds: 4, generateAudio: false, seed: 0, sampleCount: 1 },
      },
    },
    needsKey: true,
    archives: true,
  },
  'openai in the task style': {
    provider: 'openai',
    model: 'any-video',
    body: { seconds: '8', size: '1280x720', image, metadata: { style: 'noir' } },
    price: second('0.1', { resolution: { '1280X720': '1.5' } }),
    cost: '1.2',
    arithmetic: /^8 seconds x 0\.1 x 1\.5 \(1280X720\)$/,
    bad: { metadata: {}, message: /'size' is not valid/ },
    sent: {
      path: '/openai/v1/videos',
      body: { seconds: '8', size: '1280x720', input_reference: image, metadata: { style: 'noir' } },
    },
    cancel: { method: 'DELETE', path: /\/v1\/videos\/[^/]+$/ },
    needsKey: true,
    hasNoLink: true,
    lists: true,
    archives: false,
  },
};

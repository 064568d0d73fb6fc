// A certificate of a host's own, for tests of TLS: new each time, so that no key lies in the repository.
import { generateKeyPairSync, sign } from 'node:crypto';

const SHA256_RSA = '06092a864886f70d01010b';
const COMMON_NAME = '0603550403';
const ALT_NAME = '0603551d11';
const CONSTRAINTS = '0603551d13';
const TRUE = Buffer.from('0101ff', 'hex');

function der(tag: number, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)));
  if (body.length < 128) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const size =
    body.length < 256 ? Buffer.from([0x81, body.length]) : Buffer.from([0x82, body.length >> 8, body.length & 255]);
  return Buffer.concat([Buffer.from([tag]), size, body]);
}

const sequence = (...parts: (Buffer | string)[]): Buffer => der(0x30, ...parts);

export function makeCertificate(host: string): { key: string; certificate: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const algorithm = sequence(SHA256_RSA, '0500');
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(host)))));
  const time = (year: number): Buffer => der(0x18, Buffer.from(`${year}0101000000Z`));
  const alternatives = sequence(ALT_NAME, der(0x04, sequence(der(0x82, Buffer.from(host)))));
  const constraints = sequence(CONSTRAINTS, TRUE, der(0x04, sequence(TRUE)));
  const signed = sequence(
    der(0xa0, der(0x02, '02')),
    der(0x02, '01'),
    algorithm,
    name,
    sequence(time(2020), time(2120)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternatives, constraints)),
  );
  const whole = sequence(signed, algorithm, der(0x03, '00', sign('RSA-SHA256', signed, privateKey)));
  const text = (whole.toString('base64').match(/.{1,64}/g) ?? []).join('\n');
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    certificate: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
  };
}

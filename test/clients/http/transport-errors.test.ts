import { errors } from 'undici';
import { describe, expect, it } from 'vitest';
import { transportError } from '../../../src-main/clients/http/service-error.ts';
import { BroadsheetError, fromFailure, toFailure } from '../../../src-main/contract/errors.ts';

const coded = (code: string): Error => Object.assign(new Error('secret detail'), { code });

describe('a network error', () => {
  it.each([
    [new errors.ConnectTimeoutError(), 'requesting', 'timeout'],
    [coded('ETIMEDOUT'), 'requesting', 'timeout'],
    [coded('ENOTFOUND'), 'requesting', 'unreachable'],
    [coded('CERT_HAS_EXPIRED'), 'requesting', 'unreachable'],
    [new errors.SocketError('other side closed'), 'requesting', 'unreachable'],
    [new errors.SocketError('other side closed'), 'reading', 'cut_short'],
    [new errors.ResponseContentLengthMismatchError(), 'reading', 'cut_short'],
    [coded('HPE_INVALID_EOF_STATE'), 'reading', 'cut_short'],
    [new errors.HTTPParserError('Bad chunk'), 'reading', 'invalid_body'],
    [new errors.HeadersOverflowError(), 'requesting', 'too_large'],
    ['thrown text', 'requesting', 'unreachable'],
    [null, 'reading', 'cut_short'],
  ] as const)('%s while %s is %s', (thrown, phase, code) => {
    const error = transportError(thrown, phase, 'news.example');
    expect(error.code).toBe(code);
    expect(error.message).toContain('news.example');
    expect(error.message).not.toContain('secret detail');
  });

  it.each([
    ['ENOTFOUND', 'name_not_found'],
    ['ECONNREFUSED', 'refused'],
    ['CERT_HAS_EXPIRED', 'not_secure'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'not_secure'],
    ['ENETUNREACH', 'no_route'],
    ['ECONNRESET', undefined],
    ['constructor', undefined],
  ])('%s has the reason %s, which crosses process boundaries', (code, reason) => {
    const error = transportError(coded(code), 'requesting', 'news.example');
    expect([error.code, error.reason]).toEqual(['unreachable', reason]);
    expect(toFailure(error).reason).toBe(reason);
    expect(fromFailure(toFailure(error)).reason).toBe(reason);
  });

  it('keeps a message that it already has', () => {
    const error = new BroadsheetError('too_large', 'Too large.');
    expect(transportError(error, 'reading', 'news.example')).toBe(error);
  });
});

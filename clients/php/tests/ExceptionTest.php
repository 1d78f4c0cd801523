<?php

declare(strict_types=1);

namespace Florin\Tests;

use Florin\Exception\ConnectionException;
use Florin\Exception\FlorinException;
use Florin\Exception\InvalidRequestException;
use Florin\Exception\ServerException;
use PHPUnit\Framework\TestCase;

final class ExceptionTest extends TestCase
{
    public function testAnAnswerBecomesAnExceptionWithItsDetails(): void
    {
        $body = '{"status":"failed","message":"amount is required","data":null,"code":"validation_failed","errors":{"amount":["amount is required"]}}';
        $error = FlorinException::from(400, $body, 'req_1');
        self::assertInstanceOf(InvalidRequestException::class, $error);
        self::assertSame('amount is required', $error->getMessage());
        self::assertSame(['validation_failed', 'req_1'], [$error->errorCode, $error->requestId]);
        self::assertSame(['amount' => ['amount is required']], $error->errors);
    }

    public function testAPageOfAProxyIsNoSurprise(): void
    {
        $error = FlorinException::from(502, '<h1>Bad gateway</h1>');
        self::assertInstanceOf(ServerException::class, $error);
        self::assertSame('Florin answered 502', $error->getMessage());
    }

    public function testARedirectIsNoAnswer(): void
    {
        self::assertInstanceOf(ConnectionException::class, FlorinException::from(302, ''));
    }
}

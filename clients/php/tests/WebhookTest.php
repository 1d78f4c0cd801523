<?php

declare(strict_types=1);

namespace Florin\Tests;

use Florin\Exception\SignatureException;
use Florin\Webhook;
use PHPUnit\Framework\TestCase;

final class WebhookTest extends TestCase
{
    private const SECRET = 'whsec_YSBzZWNyZXQgb2YgdGhpcnR5LXR3byBieXRlcyAuLi4=';

    public function testASignedCallIsVerified(): void
    {
        $call = Webhook::sign(['event' => 'payment.success', 'tx_ref' => 'a/ü'], self::SECRET);
        $event = Webhook::verify($call['body'], $call['headers'], self::SECRET);
        self::assertSame('payment.success', $event->name);
        self::assertSame('a/ü', $event->payment()->txRef);
        self::assertSame($call['headers']['webhook-id'], $event->id);
        self::assertSame($event->name, Webhook::verifyPlain($call['body'], $call['headers']['signature'], self::SECRET)->name);
    }

    public function testAnEventOfAPayoutHasThePayout(): void
    {
        $call = Webhook::sign(['event' => 'payout.arrived', 'id' => 'po_1', 'amount_minor' => 1013, 'bank_reference' => 'TRACE1'], self::SECRET);
        $payout = Webhook::verify($call['body'], $call['headers'], self::SECRET)->payout();
        self::assertSame(['po_1', 1013, 'TRACE1'], [$payout->id, $payout->amountMinor, $payout->bankReference]);
    }

    public function testOneOfTwoSignaturesIsEnough(): void
    {
        $call = Webhook::sign(['event' => 'payment.success'], self::SECRET);
        $call['headers']['webhook-signature'] = 'v1,' . base64_encode('another') . ' ' . $call['headers']['webhook-signature'];
        self::assertSame('payment.success', Webhook::verify($call['body'], $call['headers'], self::SECRET)->name);
    }

    public function testAChangedBodyIsRefused(): void
    {
        $call = Webhook::sign(['event' => 'payment.success'], self::SECRET);
        $this->expectException(SignatureException::class);
        Webhook::verify($call['body'] . ' ', $call['headers'], self::SECRET);
    }

    public function testTheToleranceIsInclusive(): void
    {
        $call = Webhook::sign(['event' => 'payment.success'], self::SECRET, now: 1_000_000);
        Webhook::verify($call['body'], $call['headers'], self::SECRET, now: 1_000_300);
        $this->expectException(SignatureException::class);
        Webhook::verify($call['body'], $call['headers'], self::SECRET, now: 1_000_301);
    }
}

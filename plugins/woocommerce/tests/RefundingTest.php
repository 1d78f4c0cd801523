<?php

declare(strict_types=1);

namespace FlorinWoo\Tests;

use Florin\Exception\ConnectionException;
use FlorinWoo\OrderState;
use FlorinWoo\Refunding;
use PHPUnit\Framework\TestCase;
use RuntimeException;
use WP_Error;

final class RefundingTest extends TestCase
{
    private StandInFlorin $florin;
    private OrderState $state;

    protected function setUp(): void
    {
        $this->florin = StandInFlorin::start();
        $this->florin->make('woo-7-1', ['status' => 'success', 'refunds' => []]);
        $this->state = new OrderState(new \WC_Order(7));
        $this->state->nextAttempt();
        $this->state->keep('_florin_paid_tx_ref', 'woo-7-1');
    }

    private function assertLost(string $amount): void
    {
        try {
            Refunding::send($this->state, $amount, '');
            self::fail('answered');
        } catch (ConnectionException) {
            $this->florin->fault = null;
        }
    }

    public function testARefundWithoutAnAnswerKeepsItsReference(): void
    {
        foreach (['away', 'lost'] as $fault) {
            $this->setUp();
            $this->florin->fault = $fault;
            $this->assertLost('5.00');
            self::assertTrue(Refunding::send($this->state, '5.00', ''));
            self::assertSame(['woo-7-1-r1-500'], $this->florin->refunded());
        }
    }

    public function testARefundThatFailedGetsAnotherReference(): void
    {
        $this->florin->refundStatus = 'failed';
        self::assertInstanceOf(WP_Error::class, Refunding::send($this->state, '5.00', ''));
        $this->florin->refundStatus = 'success';
        self::assertTrue(Refunding::send($this->state, '5.00', ''));
        self::assertTrue(Refunding::send($this->state, '5.00', ''));
        self::assertSame(['woo-7-1-r1-500', 'woo-7-1-r2-500', 'woo-7-1-r3-500'], $this->florin->refunded());
    }

    public function testAnotherAmountWaitsUntilALostRefundIsKnown(): void
    {
        $this->florin->fault = 'lost';
        $this->assertLost('5.00');
        try {
            Refunding::send($this->state, '6.00', '');
            self::fail('refunded');
        } catch (RuntimeException $error) {
            self::assertStringContainsString('woo-7-1-r1-500', $error->getMessage());
        }
        self::assertTrue(Refunding::send($this->state, '6.00', ''));
        self::assertSame(['woo-7-1-r1-500', 'woo-7-1-r2-600'], $this->florin->refunded());
    }

    public function testAnotherAmountFollowsARefundThatNeverArrived(): void
    {
        $this->florin->fault = 'away';
        $this->assertLost('5.00');
        self::assertTrue(Refunding::send($this->state, '6.00', ''));
        self::assertSame(['woo-7-1-r2-600'], $this->florin->refunded());
    }
}

<?php

declare(strict_types=1);

namespace FlorinWoo\Tests;

use Florin\Exception\ConflictException;
use Florin\Exception\ConnectionException;
use Florin\Result\Payment;
use FlorinWoo\Attempt;
use FlorinWoo\Charge;
use FlorinWoo\OrderState;
use PHPUnit\Framework\TestCase;

/** An order that is charged by turns with a Florin that answers, refuses or says nothing. */
final class AttemptTest extends TestCase
{
    private StandInFlorin $florin;
    private OrderState $state;

    protected function setUp(): void
    {
        $this->florin = StandInFlorin::start();
        $this->state = new OrderState(new \WC_Order(7));
    }

    private function charge(): Payment
    {
        return Attempt::newest($this->state)->next(
            static fn (string $txRef): Payment => Payment::from((new \FlorinWoo\Http('test'))->call('POST', '/api/saved-methods/m/charges', ['tx_ref' => $txRef], mayRepeat: true)),
            Charge::isOpen(...),
        );
    }

    public function testARefusedChargeIsMadeUnderTheSameReferenceNextTime(): void
    {
        foreach (['charges_stopped', 'charge_limit', 'retry_too_early'] as $code) {
            $this->setUp();
            $this->florin->refuse($code);
            for ($tried = 1; $tried <= 2; ++$tried) {
                try {
                    $this->charge();
                    self::fail($code);
                } catch (ConflictException $error) {
                    self::assertSame($code, $error->errorCode);
                }
            }
            $this->florin->refuse(null);
            self::assertSame('success', $this->charge()->status);
            self::assertSame(['woo-7-1'], $this->florin->made());
        }
    }

    public function testAChargeThatNeverArrivedIsMadeNextTime(): void
    {
        $this->florin->fault = 'away';
        $this->assertLost();
        $this->florin->fault = null;
        self::assertSame('success', $this->charge()->status);
        self::assertSame(['woo-7-1'], $this->florin->made());
    }

    public function testAChargeWhoseAnswerWasLostIsFoundNextTime(): void
    {
        $this->florin->fault = 'lost';
        $this->assertLost();
        $this->florin->fault = null;
        self::assertSame('woo-7-1', Attempt::newest($this->state)->payment?->txRef);
    }

    public function testAChargeThatArrivesLateIsNotMadeTwice(): void
    {
        $this->florin->fault = 'away';
        $this->assertLost();
        $this->florin->fault = null;
        $newest = Attempt::newest($this->state);
        $this->florin->make('woo-7-1', ['status' => 'pending', 'saved_method' => ['id' => 'm']]);
        $there = $newest->next(static fn () => throw new ConflictException('taken', 409, 'tx_ref_taken'), Charge::isOpen(...));
        self::assertSame(['woo-7-1', 'pending'], [$there->txRef, $there->status]);
        self::assertSame(['woo-7-1'], $this->florin->made());
    }

    public function testAReferenceThatAnotherOrderHasIsPassedOver(): void
    {
        $this->florin->make('woo-7-1', ['status' => 'success', 'meta' => ['order' => 'of a copy']]);
        self::assertSame('woo-7-2', $this->charge()->txRef);
    }

    public function testAFailedChargeIsFollowedByAnotherReference(): void
    {
        $this->florin->make('woo-7-1', ['status' => 'failed']);
        $this->state->nextAttempt();
        self::assertSame('woo-7-2', $this->charge()->txRef);
    }

    private function assertLost(): void
    {
        try {
            $this->charge();
            self::fail('answered');
        } catch (ConnectionException) {
            self::assertSame('woo-7-1', $this->state->txRef());
        }
    }
}

# SPDX-License-Identifier: MIT
# pragma version 0.4.3
"""
@title Savings vault
@license MIT
@notice A savings box for everyone: put Ether in, take it out again, give some to a friend.
"""

event Saved:
    saver: indexed(address)
    amount: uint256

event Taken:
    saver: indexed(address)
    amount: uint256

event Given:
    giver: indexed(address)
    receiver: indexed(address)
    amount: uint256

FOUNDER: public(immutable(address))

savings: public(HashMap[address, uint256])
total: public(uint256)
savers: public(uint256)


@deploy
def __init__():
    FOUNDER = msg.sender


@external
@payable
def save():
    """
    @notice Puts the value sent along into the caller's box.
    """
    assert msg.value > 0, "nothing to save"
    if self.savings[msg.sender] == 0:
        self.savers += 1
    self.savings[msg.sender] += msg.value
    self.total += msg.value
    log Saved(saver=msg.sender, amount=msg.value)


@external
@nonreentrant
def take(amount: uint256):
    """
    @notice Pays `amount` of the caller's savings back.
    """
    self._debit(msg.sender, amount)
    self.total -= amount
    log Taken(saver=msg.sender, amount=amount)
    send(msg.sender, amount, gas=50_000)


@external
def give(receiver: address, amount: uint256):
    """
    @notice Moves `amount` from the caller's box to another one.
    """
    self._debit(msg.sender, amount)
    if self.savings[receiver] == 0:
        self.savers += 1
    self.savings[receiver] += amount
    log Given(giver=msg.sender, receiver=receiver, amount=amount)


@internal
def _debit(saver: address, amount: uint256):
    balance: uint256 = self.savings[saver]
    assert amount > 0, "nothing to move"
    assert balance >= amount, "savings too small"
    self.savings[saver] = balance - amount
    if balance == amount:
        self.savers -= 1
